/** The ids in the documentation's examples, so that the examples work as they are. */
export const EXAMPLE_IDS = {
  tenant: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a10',
  professional: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a11',
  service: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a12',
  busyBlock: 'lunch-2026-03-02',
  appointment: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
  event: 'evt_0195571c5a607a3e9f002f5d1c9b7a30',
  endpoint: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
  call: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a50',
  delivery: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
  notification: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a70',
  apiKey: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a80',
};
