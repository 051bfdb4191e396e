// CLinux: Linux calls that the Glibc module leaves out, or that optimised async code must not cache.
#pragma once
#include <features.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

// Not inlined: the compiler treats pthread_self() and errno as constant across an await.
__attribute__((noinline)) static pid_t countersign_thread_id(void) { return (pid_t)syscall(SYS_gettid); }
__attribute__((noinline)) static int countersign_errno(void) { return errno; }

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

struct countersign_peer { pid_t pid; uid_t uid; gid_t gid; };

// The thread's number without a system call each time. The empty asm keeps the compiler from treating it as constant.
__attribute__((noinline)) static pid_t countersign_cached_thread_id(void) {
    static __thread pid_t known;
    if (known == 0) known = (pid_t)syscall(SYS_gettid);
    __asm__ volatile("" : : : "memory");
    return known;
}
static inline int countersign_event_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
// Here, because which module owns `timespec` depends on what else a file imports.
static inline long long countersign_monotonic_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}
static inline long long countersign_wall_clock_microseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}
static inline long long countersign_coarse_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return time.tv_sec;
}
// A peer that closed its end is told by EPIPE; the signal would end the program.
static inline void countersign_block_broken_pipe(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}
static inline void countersign_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// Children: a descriptor that stands for one process, so that a signal never reaches a stranger with its old number.
#include <signal.h>
#include <sys/pidfd.h>

int pipe2(int[2], int);

// Pseudo-terminals, which the Glibc module leaves out.
int posix_openpt(int);
int grantpt(int);
int unlockpt(int);
int ptsname_r(int, char *, size_t);

static inline int countersign_signal_process(int process, int number) { return pidfd_send_signal(process, number, NULL, 0); }

// Terminal: what a prompt changed is put back by a signal that would end the program. The handler may call nothing of
// Swift's, so it lives here.
#include <termios.h>

struct countersign_terminal {
    struct termios before;
    volatile sig_atomic_t descriptor;
};

// A static inside a function: Swift emits the function with it, and would not emit one that stands alone.
static inline struct countersign_terminal *countersign_terminal_now(void) {
    static struct countersign_terminal now = {.descriptor = -1};
    return &now;
}

static inline int countersign_terminal_signal(int index) {
    return index == 0 ? SIGHUP : index == 1 ? SIGINT : index == 2 ? SIGQUIT : SIGTERM;
}

static void countersign_terminal_restore_and_die(int number) {
    const struct countersign_terminal *terminal = countersign_terminal_now();
    if (terminal->descriptor >= 0) tcsetattr(terminal->descriptor, TCSANOW, &terminal->before);
    raise(number);  // its default action: the handler was installed for one call
}

// Remembers how the terminal was; signals that the program does not handle itself restore it from now on.
static inline void countersign_terminal_guard(int descriptor, const struct termios *before) {
    countersign_terminal_now()->before = *before;
    countersign_terminal_now()->descriptor = descriptor;
    for (int i = 0; i < 4; i++) {
        struct sigaction now, ours = {0};
        ours.sa_handler = countersign_terminal_restore_and_die;
        ours.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
        if (sigaction(countersign_terminal_signal(i), NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(countersign_terminal_signal(i), &ours, NULL);
    }
}

// Forgets the terminal, and gives the signals back their default action.
static inline void countersign_terminal_unguard(void) {
    countersign_terminal_now()->descriptor = -1;
    for (int i = 0; i < 4; i++) {
        struct sigaction now, standard = {0};
        standard.sa_handler = SIG_DFL;
        if (sigaction(countersign_terminal_signal(i), NULL, &now) == 0
            && now.sa_handler == countersign_terminal_restore_and_die)
            sigaction(countersign_terminal_signal(i), &standard, NULL);
    }
}
