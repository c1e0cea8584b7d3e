import { pino } from 'pino';
import type { Logger } from '../../adapters/logger.ts';

/** Silent unless TEST_LOG_LEVEL says otherwise. */
export function testLogger(): Logger {
  return pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
}
