// CSystemd: sd-bus, the D-Bus client of libsystemd.
#pragma once
#include <features.h>
#include <systemd/sd-bus.h>
