// CYAML: libyaml's event parser.
#pragma once
#include <features.h>
#include <yaml.h>
