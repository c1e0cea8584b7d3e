import express from 'express';
import { isGenuine } from './verify.mjs';

export const app = express();

app.post('/hook', express.raw({ type: 'application/json', limit: '256kb' }), (request, response) => {
  const header = request.get('X-Service-Signature');
  if (!isGenuine(header, request.body, process.env.WEBHOOK_SECRET)) return response.sendStatus(401);
  const event = JSON.parse(request.body);
  console.log(event.type, event.id); // Store the event instead, then answer.
  response.sendStatus(200);
});
