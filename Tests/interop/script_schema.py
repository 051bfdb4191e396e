"""The published JSON Schema of hand-off scripts takes every script of the repository, and refuses what the reader does.

An independent validator reads docs/handoff-script.schema.json; run by scripts/interop.
"""

import copy
import json
import pathlib
import sys

import yaml
from jsonschema import Draft202012Validator

root = pathlib.Path(__file__).resolve().parents[2]
schema = json.loads((root / "docs/handoff-script.schema.json").read_text())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)

scripts = sorted((root / "Examples/handoffs").glob("*.yaml"))
failed = [f"{path.name}: {error.message}" for path in scripts for error in
          validator.iter_errors(yaml.safe_load(path.read_text()))]
if not scripts:
    failed.append("there are no scripts")

# Each of these is one step away from a script that is taken.
good = {
    "script": "one",
    "actors": {"idp": {"role": "idp", "users": ["alice"]}, "notes": {"role": "client"}},
    "steps": [{"notes.login": {"user-hint": "alice", "timeout": "3s"}}, {"expect notes.accounts": ["alice"], "within": "1s"}],
}
changes = {
    "a verb that there is not": lambda s: s["steps"].append({"notes.lgin": {}}),
    "a key that the verb has not": lambda s: s["steps"][0]["notes.login"].update(hint="alice"),
    "a time without its unit": lambda s: s["steps"][0]["notes.login"].update(timeout=3),
    "a verb without what it must have": lambda s: s["steps"].append({"notes.use": {}}),
    "a subject that there is not": lambda s: s["steps"].append({"expect notes.acounts": []}),
    "an actor without a role": lambda s: s["actors"].update(photos={}),
    "an actor with a name that is none": lambda s: s["actors"].update(Photos={"role": "client"}),
    "no steps": lambda s: s.pop("steps"),
    "a key that a script has not": lambda s: s.update(step=[]),
}
if not validator.is_valid(good):
    failed.append("the plain script is refused")
for what, change in changes.items():
    bad = copy.deepcopy(good)
    change(bad)
    if validator.is_valid(bad):
        failed.append(f"taken, with {what}")

if failed:
    sys.exit("FAIL script_schema: " + "; ".join(failed))
print(f"PASS script_schema: {len(scripts)} scripts taken, {len(changes)} mistakes refused")
