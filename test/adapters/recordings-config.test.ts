import { expect, test } from '@jest/globals';
import { readConfig, type Environment } from '../../adapters/config/read-config.ts';
import { recordingsConfig } from '../../adapters/config/recordings-config.ts';

const read = (environment: Environment) =>
  readConfig({ recordings: recordingsConfig }, environment).recordings;

test('a directory is given as a file URL', () => {
  expect(read({ RECORDINGS_URL: 'file:///var/lib/a%20b' })).toEqual({
    kind: 'file',
    directory: '/var/lib/a b',
  });
});

test('a bucket may have a prefix; another server than Amazon’s needs no region', () => {
  const variables = { RECORDINGS_URL: 's3://my.bucket/a/b/', AWS_ENDPOINT_URL: 'http://127.0.0.1:9000' };
  expect(read(variables)).toEqual({
    kind: 's3',
    bucket: 'my.bucket',
    prefix: 'a/b',
    endpoint: 'http://127.0.0.1:9000',
    region: 'us-east-1',
  });
  expect(read({ RECORDINGS_URL: 's3://bucket', AWS_REGION: 'eu-west-1' })).toMatchObject({
    prefix: '',
    region: 'eu-west-1',
  });
});

test.each(['', '/var/lib/recordings', 'https://bucket/', 's3:///x', 'file://host/x', 's3://b/p?x=1'])(
  '%j is refused',
  (text) => {
    expect(() => read({ RECORDINGS_URL: text })).toThrow(/RECORDINGS_URL/);
  },
);
