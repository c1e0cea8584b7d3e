/**
 * The part of the caller's environment that a process under test gets: paths of programs and caches, none of the
 * caller's settings.
 */
export function callersEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, USER, LANG, XDG_CACHE_HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, USER, LANG, XDG_CACHE_HOME, NODE_COMPILE_CACHE };
}
