import { createLogger } from '../../adapters/logs/logger.ts';

/** Logs the given number of lines, a few at once. */
const logger = createLogger({ level: 'info', process: 'api' });
process.on('message', (lines: number) => {
  for (let line = 0; line < lines; line += 1) logger.info({ text: '.'.repeat(500) }, 'line.said');
  process.send?.(lines);
});
