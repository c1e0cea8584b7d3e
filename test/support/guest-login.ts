/** The login of public pages on every test server, made as compose and the chart make it. */
export const GUEST_LOGIN = { name: 'clinic_public', password: 'public' };
