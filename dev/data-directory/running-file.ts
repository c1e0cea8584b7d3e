import { z } from 'zod';
import { SERVICE_MODES } from '../../domain/service-mode.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

/** The processes that the launcher may start. */
export const PARTS = ['api', 'worker', 'dashboard', 'identity', 'temporal', 'postgres'] as const;
export type Part = (typeof PARTS)[number];

/**
 * `$DATA_DIR/running.json`, written by the launcher: docs/commands.md#while-it-runs. A pid is null when the process was
 * started by someone else.
 */
const runningService = z.object({
  serviceMode: z.enum(SERVICE_MODES),
  apiUrl: z.string(),
  /** The dashboard's address; null when no one could sign in. */
  dashboardUrl: z.string().nullable(),
  temporalAddress: z.string(),
  temporalNamespace: z.string(),
  temporalUiUrl: z.string().nullable(),
  databaseUrl: z.string(),
  /** The address of the worker's metrics. */
  metricsUrl: z.string(),
  apiMetricsUrl: z.string(),
  dashboardMetricsUrl: z.string().nullable(),
  pid: z.int(),
  pids: z.record(z.enum(PARTS), z.int().nullable()),
});
export type RunningService = z.infer<typeof runningService>;
/** The part that does not change when processes restart. */
export type Announcement = Omit<RunningService, 'pids'>;

export function writeRunningFile(path: string, running: RunningService): void {
  writePrivateJson(path, running);
}

export function readRunningFile(path: string): RunningService | null {
  return readPrivateJson(path, runningService);
}
