import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { closedLoop } from '../load/closed-loop.ts';

/** Signs and sends a body of an event's size over kept-alive connections, for the milliseconds it is told. */
const [url = '', ca = '', durationMs = ''] = process.argv.slice(2);
const CONNECTIONS = 32;
const BODY = JSON.stringify({ type: 'bench', data: { text: 'x'.repeat(800) } });

const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections: CONNECTIONS, connect: { ca } });
const { perSecond } = await closedLoop(CONNECTIONS, Number(durationMs), async () => {
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', 'whsec_bench').update(`${at}.${BODY}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-service-signature': `t=${at},v1=${signature}` };
  const { body } = await pool.request({ method: 'POST', path: pathname, headers, body: BODY });
  await body.dump();
});
await pool.close();
process.send?.({ perSecond });
process.disconnect();
