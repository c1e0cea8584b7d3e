import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { isGenuine } from './verify.mjs';

const { WEBHOOK_SECRET, PORT = '8443' } = process.env;
const identity = { key: readFileSync('receiver-key.pem'), cert: readFileSync('receiver.pem') };
const seen = new Set(); // in production: a unique index in your database

async function statusFor(request) {
  const rawBody = await buffer(request);
  if (!isGenuine(request.headers['x-service-signature'], rawBody, WEBHOOK_SECRET)) return 401;
  const event = JSON.parse(rawBody);
  if (!seen.has(event.id)) console.log(event.type, event.id);
  seen.add(event.id);
  return 200;
}

createServer(identity, (request, response) => {
  statusFor(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
}).listen(Number(PORT), '127.0.0.1', function () {
  console.log(`https://localhost:${this.address().port}/hook`);
});
