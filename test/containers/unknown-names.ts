import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** QR, RA and "no such name": RFC 1035, section 4.1.1. */
const NO_SUCH_NAME = [0x81, 0x83] as const;
const FLAGS_AT = 2;

/**
 * Answers anyone who asks for a name that no container has, at once: the engine passes such questions on, and where nothing
 * answers them every look-up takes ten seconds.
 */
export async function answerUnknownNames(): Promise<AsyncDisposable> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { address, port }) => {
    const answer = Buffer.from(question);
    answer.set(NO_SUCH_NAME, FLAGS_AT);
    socket.send(answer, port, address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
