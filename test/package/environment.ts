/** What a person's shell would have: nothing of vitest and nothing of ours. */
export function createEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TASKDOUBLE_|VITEST|NODE_OPTIONS|NODE_ENV$|TEST$)/.test(name),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1', npm_config_loglevel: 'error' };
}
