/** What a process under test gets of the caller's environment: where programs and caches are, and none of the caller's own settings. */
export function callersEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, USER, LANG, XDG_CACHE_HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, USER, LANG, XDG_CACHE_HOME, NODE_COMPILE_CACHE };
}
