import { errorCode } from '../adapters/error-code.ts';

/**
 * Ends the process, in one line and with exit code 1, when what it prints is taken no more: whoever reads it has gone before it was
 * whole, as `head` does, or the disk is full. What the command has changed stays changed.
 */
export function endWithOutput(process: NodeJS.Process): void {
  process.stdout.on('error', (error) => {
    process.stderr.write(`The output was not written to its end: ${errorCode(error)}\n`);
    process.exit(1);
  });
  // Then nobody is left to be told.
  process.stderr.on('error', () => process.exit(1));
}
