/* sanitizer.h - whether AddressSanitizer watches this program: gcc defines a macro, clang has a feature. */
#ifndef SANITIZER_H
#define SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef HAS_ADDRESS_SANITIZER
#define HAS_ADDRESS_SANITIZER 0
#endif

#endif
