import { describe, expect, test } from '@jest/globals';
import { pythonPackages } from '../../../dev/release/python-packages.ts';
import { nodePackage } from '../../support/environment/node-packages.ts';
import { snippet } from '../guide.ts';
import { verdictsOf, type RunnableSnippet } from '../languages.ts';
import { signedDeliveries } from '../signed-deliveries.ts';
import {
  DJANGO_HARNESS,
  EXPRESS_HARNESS,
  FLASK_HARNESS,
  PYTHON_STANDARD_HARNESS,
  PYTHON_STRIPE_HARNESS,
} from './framework-harnesses.ts';

const EXPRESS = 'express@5.3.0';

type Framework = Pick<RunnableSnippet, 'name' | 'files' | 'tolerates'>;

const inPython = (name: string, file: string, harness: string): Framework => ({
  name,
  files: () => ({ [file]: snippet(file), 'verify.py': snippet('verify.py'), 'main.py': harness }),
});

describe('receivers of the guide in frameworks accept what we signed and nothing else', () => {
  test.each([
    inPython('Flask', 'flask_app.py', FLASK_HARNESS),
    inPython('Django', 'django_view.py', DJANGO_HARNESS),
    {
      ...inPython('stripe for Python', 'stripe_verify.py', PYTHON_STRIPE_HARNESS),
      // Stripe's clock is the sender's; a value ends at its second equals sign.
      tolerates: ['from the future', '“=zz”'],
    },
    {
      ...inPython('standardwebhooks for Python', 'standard_verify.py', PYTHON_STANDARD_HARNESS),
      // Python's base64 ends at the first equals sign.
      tolerates: ['behind it'],
    },
  ])('$name', async (framework) => {
    const packages = await pythonPackages('test/docs/samples/requirements.txt');
    await expectRight({ ...framework, command: ['env', `PYTHONPATH=${packages}`, 'python3', 'main.py'] });
  });

  test('Express', async () => {
    await expectRight({
      name: 'Express',
      files: () => ({
        'express.mjs': snippet('express.mjs'),
        'verify.mjs': snippet('verify.mjs'),
        'main.mjs': EXPRESS_HARNESS,
      }),
      modules: await nodePackage(EXPRESS),
      command: [process.execPath, 'main.mjs'],
    });
  });
});

async function expectRight(framework: Omit<RunnableSnippet, 'probe'>): Promise<void> {
  const deliveries = () =>
    signedDeliveries(new Date()).filter(
      ({ name }) => !framework.tolerates?.some((words) => name.includes(words)),
    );
  const wanted = deliveries().map(({ name, isAccepted }) => ({ name, isAccepted }));
  expect(await verdictsOf(framework, deliveries)).toEqual(wanted);
}
