import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';

/** A process full of bots at the page where patients book. On SIGTERM it prints how often each status was answered. */
const [url = '', slug = '', service = '', count = '0'] = process.argv.slice(2);

const BEGIN_WITHIN_MS = 2000;
const answers: Record<string, number> = {};
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

await Promise.all(Array.from({ length: Number(count) }, (_, number) => bot(number)));
process.stdout.write(JSON.stringify(answers));

/** Without a pause: looks at a day, takes a time, books it for a phone that it makes up. */
async function bot(number: number): Promise<void> {
  await pause(Math.random() * BEGIN_WITHIN_MS);
  const ask = asker(`10.9.${Math.floor(number / 250)}.${number % 250}`);
  while (!stop.signal.aborted) {
    // Hung up on, or told to stop, it begins again.
    await bookOnce(ask).catch(() => null);
  }
}

type Ask = ReturnType<typeof asker>;

async function bookOnce(ask: Ask): Promise<void> {
  const day = new Date(Date.now() + (2 + Math.random() * 50) * 86_400_000).toISOString().slice(0, 10);
  const page = await ask(`/book/${slug}?service=${service}&day=${day}`);
  const times = [...page.matchAll(/name="time"\s+value="([^"]+)"/g)].map(([, time = '']) => time);
  const time = times[Math.floor(Math.random() * times.length)];
  if (time === undefined) return;
  const patientPhone = `+3519${String(Math.random()).slice(2, 10)}`;
  await ask(`/book/${slug}/hold`, { service, time });
  await ask(`/book/${slug}/details`, { service, time, patientName: 'Bot', patientPhone });
}

/** From an address of its own, as a proxy says, with its cookie. */
function asker(address: string) {
  const dashboard = new Pool(url, { connections: 1 });
  let cookie = '';
  return async (path: string, form?: Record<string, string>): Promise<string> => {
    const { statusCode, headers, body } = await dashboard.request({
      path,
      signal: stop.signal,
      method: form ? 'POST' : 'GET',
      headers: {
        cookie,
        origin: url,
        'x-forwarded-for': address,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form && new URLSearchParams(form).toString(),
    });
    cookie = /hold=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? cookie;
    answers[statusCode] = (answers[statusCode] ?? 0) + 1;
    return body.text();
  };
}
