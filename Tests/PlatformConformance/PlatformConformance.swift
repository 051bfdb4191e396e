// PlatformConformance owns what every form of a Platform protocol must do, as named checks that any test can run.
