// HandoffLab owns the laboratory: the parties side by side, transcripts, the demonstration and the benchmark.
