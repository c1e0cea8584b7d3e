import { expect, test } from '@jest/globals';
import { hostsOf, loginOf, parseDatabaseAddress } from '../../domain/database-address.ts';

test('one server, without a port', () => {
  expect(parseDatabaseAddress('postgres://clinic:se%40cret@db.example/clinic?sslmode=verify-full')).toEqual({
    hosts: [
      {
        name: 'db.example:5432',
        host: 'db.example',
        port: 5432,
        url: 'postgres://clinic:se%40cret@db.example:5432/clinic?sslmode=verify-full',
      },
    ],
    target: 'any',
  });
});

test('several servers, of which one takes writes', () => {
  const text =
    'postgresql://c:p@one:5433,two,[::1]:5434/clinic?target_session_attrs=read-write&sslmode=require';
  const address = parseDatabaseAddress(text);
  expect(address?.target).toBe('read-write');
  expect(address?.hosts.map(({ host, port }) => [host, port])).toEqual([
    ['one', 5433],
    ['two', 5432],
    ['::1', 5434],
  ]);
  expect(address?.hosts[1]?.url).toBe('postgresql://c:p@two:5432/clinic?sslmode=require');
});

test('a message names servers and nothing else', () => {
  expect(hostsOf('postgresql://clinic:secret@one,two:6432/clinic')).toBe('one:5432, two:6432');
});

test('an address names a login only with its password', () => {
  expect(loginOf('postgresql://c:p%40@one,two:6432/clinic')).toEqual({ name: 'c', password: 'p@' });
  for (const text of ['postgresql://one/clinic', 'postgresql://clinic_api@one/clinic', 'clinic'])
    expect(loginOf(text)).toBeNull();
});

test.each([
  'mysql://c:p@one/clinic',
  'postgresql://',
  'postgresql://c:p@one,/clinic',
  'postgresql://c:p@one:port/clinic',
  'postgresql://c:p@one,two/clinic?target_session_attrs=standby',
  'clinic',
])('%s is no address that can be used', (text) => {
  expect(parseDatabaseAddress(text)).toBeNull();
});
