import { destination } from 'pino';

const STDOUT = 1;

/** What waits to be written while nothing can be; lines beyond it are lost. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * Stdout, which may be a file on a disk that is full: the process goes on then, and each line tries anew to write those that wait.
 * Left to itself the stream ends the process, whose end it then holds up by trying to write until there is room.
 */
export function openLogDestination(fd = STDOUT) {
  const log = destination({ dest: fd, sync: false, maxLength: MOST_WAITING_BYTES });
  const flush = log.flushSync.bind(log);
  let isWritten = true;
  log.on('write', () => (isWritten = true));
  // Nobody can be told: the log is where it would be said.
  log.on('error', () => (isWritten = false));
  // A stream that is full throws the line away without a try; nothing more than what waits makes it try.
  log.on('drop', () => log.write(''));
  log.flushSync = () => {
    if (isWritten) flush();
  };
  return log;
}
