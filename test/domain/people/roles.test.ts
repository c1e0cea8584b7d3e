import { expect, test } from '@jest/globals';
import { isForRole, mayUse, PERMISSIONS, ROLES } from '../../../domain/people/roles.ts';

test('every permission is for a role', () => {
  const unused = PERMISSIONS.filter((permission) => !ROLES.some((role) => isForRole(role, permission)));
  expect(unused).toEqual([]);
});

test('a portal link may do nothing that its key has no scope for', () => {
  expect(PERMISSIONS.filter((permission) => mayUse({ role: 'portal', scopes: [] }, permission))).toEqual([]);
});
