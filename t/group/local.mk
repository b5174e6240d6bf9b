# Groups: the primitives over several members.
GROUP_TESTS = \
	t/group/groups.t \
	t/group/scan.t \
	t/group/compact.t \
	t/group/runs.t \
	t/group/moves.t \
	t/group/sort.t \
	t/group/order.t
LIBRARY_TESTS += $(GROUP_TESTS)

GROUP_PARTS = t/group/each_group.c t/group/parts.c t/group/parts.h
t_group_groups_t_SOURCES = t/group/groups.c $(GROUP_PARTS)
t_group_scan_t_SOURCES = t/group/scan.c $(GROUP_PARTS)
t_group_compact_t_SOURCES = t/group/compact.c $(GROUP_PARTS)
t_group_runs_t_SOURCES = t/group/runs.c $(GROUP_PARTS)
t_group_moves_t_SOURCES = t/group/moves.c $(GROUP_PARTS)
t_group_sort_t_SOURCES = t/group/sort.c $(GROUP_PARTS)
t_group_order_t_SOURCES = t/group/order.c $(GROUP_PARTS)
