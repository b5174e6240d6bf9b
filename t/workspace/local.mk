# A caller's workspace, and CUDA graphs.
LIBRARY_TESTS += \
	t/workspace/rehearsal.t \
	t/workspace/contract.t \
	t/workspace/graphs.t

WORKSPACE_CALLS = t/workspace/calls.c t/workspace/calls.h t/workspace/calls-sort.c t/workspace/calls-merge.c t/workspace/calls-image.c t/workspace/place.c t/workspace/place-results.c t/workspace/place.h
t_workspace_rehearsal_t_SOURCES = t/workspace/rehearsal.c $(WORKSPACE_CALLS)
t_workspace_contract_t_SOURCES = t/workspace/contract.c
t_workspace_graphs_t_SOURCES = t/workspace/graphs.c $(WORKSPACE_CALLS) t/library/caller.c t/library/caller.h t/library/driver.c t/library/driver.h
t_workspace_graphs_t_LDADD = $(LDADD) -ldl
