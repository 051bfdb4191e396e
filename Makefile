# Names the scripts, and does nothing else. Options: make demo ARGS="--flow keychain"
.PHONY: setup demo test check interop browser example bench

setup demo test check interop browser example bench:
	@scripts/$@ $(ARGS)
