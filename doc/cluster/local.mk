# Examples for clusters.
EXTRA_DIST += doc/cluster/README.md doc/cluster/sort.slurm doc/cluster/sort.yaml
