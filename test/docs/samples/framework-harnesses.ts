/** Each reads deliveries as JSON from stdin, posts each to the snippet's handler, and writes the list of what it accepted. */

const READ_DELIVERIES = `
import base64, json, os, sys
deliveries = json.load(sys.stdin)
def posted(each):
    os.environ["WEBHOOK_SECRET"] = each["secret"]
    return base64.b64decode(each["body"]), each["headers"]
`;

export const FLASK_HARNESS = `${READ_DELIVERIES}
from flask_app import app
client = app.test_client()
def is_accepted(each):
    body, headers = posted(each)
    return client.post("/hook", data=body, headers=headers).status_code == 200
print(json.dumps([is_accepted(each) for each in deliveries]))
`;

export const DJANGO_HARNESS = `${READ_DELIVERIES}
from django.conf import settings
settings.configure()
from django.test import RequestFactory
from django_view import hook
def is_accepted(each):
    body, headers = posted(each)
    request = RequestFactory().post("/hook", data=body, content_type="application/json", headers=headers)
    return hook(request).status_code == 200
print(json.dumps([is_accepted(each) for each in deliveries]))
`;

/** A library raises where our own code says false, and over headers that are no signature a ValueError. */
const pythonLibrary = (question: string) => `${READ_DELIVERIES}
def is_accepted(each):
    body, headers = posted(each)
    try:
        ${question}
        return True
    except Exception as error:
        if not isinstance(error, ValueError) and "erification" not in type(error).__name__: raise
        return False
print(json.dumps([is_accepted(each) for each in deliveries]))
`;

export const PYTHON_STRIPE_HARNESS = `
from stripe_verify import read_event
${pythonLibrary('read_event(headers.get("x-service-signature", ""), body, each["secret"])')}`;

export const PYTHON_STANDARD_HARNESS = `
from standard_verify import read_event
${pythonLibrary('read_event(headers, body, each["secret"])')}`;

export const EXPRESS_HARNESS = `
import { text } from 'node:stream/consumers';
import { app } from './express.mjs';
const deliveries = JSON.parse(await text(process.stdin));
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const verdicts = [];
for (const { headers, body, secret } of deliveries) {
  process.env.WEBHOOK_SECRET = secret;
  const answer = await fetch(\`http://127.0.0.1:\${server.address().port}/hook\`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(body, 'base64'),
  });
  verdicts.push(answer.status === 200);
}
process.stdout.write(JSON.stringify(verdicts));
process.exit();
`;
