// LinuxPlatform owns the protocols of Platform made real on Linux: SQLite, D-Bus, libevent, libcurl, the secret store,
// child processes and dialogues. One public function makes the surroundings for a home.
