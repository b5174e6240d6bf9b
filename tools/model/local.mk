# How long each device takes, by figures of this machine. It sees nothing but scankit.h.
tools_libtools_a_SOURCES += \
	tools/model/clock.h \
	tools/model/figures.c \
	tools/model/figures.h \
	tools/model/machine.c \
	tools/model/machine.h \
	tools/model/model.c \
	tools/model/model.h \
	tools/model/trial_file.c \
	tools/model/trial_file.h
