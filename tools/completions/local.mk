# Completion for shells. Each file asks the tool for its options. bash and fish look for a file of the tool's name.
COMPLETED = gpusort gpucompact gpurle gpuscan gpuimg
bashcompletionsdir = $(datadir)/bash-completion/completions
zshcompletionsdir = $(datadir)/zsh/site-functions
fishcompletionsdir = $(datadir)/fish/vendor_completions.d
dist_zshcompletions_DATA = tools/completions/_scankit
EXTRA_DIST += tools/completions/scankit.bash tools/completions/scankit.fish

install-data-hook:
	$(MKDIR_P) '$(DESTDIR)$(bashcompletionsdir)' '$(DESTDIR)$(fishcompletionsdir)'
	for tool in $(COMPLETED); do \
		$(INSTALL_DATA) '$(srcdir)/tools/completions/scankit.bash' "$(DESTDIR)$(bashcompletionsdir)/$$tool" && \
		$(INSTALL_DATA) '$(srcdir)/tools/completions/scankit.fish' "$(DESTDIR)$(fishcompletionsdir)/$$tool.fish" || exit 1; \
	done

uninstall-hook:
	for tool in $(COMPLETED); do \
		rm -f "$(DESTDIR)$(bashcompletionsdir)/$$tool" "$(DESTDIR)$(fishcompletionsdir)/$$tool.fish"; \
	done
