import { z } from 'zod';
import { onlyRow, type EntityManager } from '../connection/statements.ts';

/** The setup steps that a new clinic has completed. */
const FIRST_STEPS = z.object({
  /** Whether the clinic or one of its professionals has opening hours. */
  hours: z.boolean(),
  professionals: z.boolean(),
  services: z.boolean(),
  /** Something was set for the AI receptionist, or it has taken a call. */
  receptionist: z.boolean(),
  /** Patients can book online. */
  booking: z.boolean(),
  /** Whether the clinic has a valid API key. */
  key: z.boolean(),
  endpoint: z.boolean(),
  /** Whether an endpoint has accepted an event, which can be a test event. */
  arrived: z.boolean(),
  appointments: z.boolean(),
});
export type FirstSteps = z.infer<typeof FIRST_STEPS>;

/** The number of newest deliveries that are checked. */
const NEWEST = 1000;

export function findFirstSteps(em: EntityManager, tenantId: string) {
  return onlyRow(em, FIRST_STEPS)`
    SELECT
      EXISTS (SELECT FROM tenant WHERE id = ${tenantId} AND jsonb_typeof(config -> 'businessHours') = 'object')
        OR EXISTS (
          SELECT FROM professional WHERE tenant_id = ${tenantId} AND active AND working_hours IS NOT NULL
        ) AS hours,
      EXISTS (SELECT FROM professional WHERE tenant_id = ${tenantId} AND active) AS professionals,
      EXISTS (SELECT FROM service_type WHERE tenant_id = ${tenantId} AND active) AS services,
      EXISTS (
        SELECT FROM tenant WHERE id = ${tenantId} AND config ?| ARRAY['greeting', 'voice', 'fallbackHumanNumber']
      ) OR EXISTS (SELECT FROM call WHERE tenant_id = ${tenantId}) AS receptionist,
      EXISTS (
        SELECT FROM tenant WHERE id = ${tenantId} AND public_booking_enabled AND public_slug IS NOT NULL
      ) AS booking,
      EXISTS (
        SELECT FROM api_key
        WHERE tenant_id = ${tenantId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      ) AS key,
      EXISTS (SELECT FROM webhook_endpoint WHERE tenant_id = ${tenantId} AND deleted_at IS NULL) AS endpoint,
      EXISTS (
        SELECT FROM (
          SELECT status FROM webhook_delivery WHERE tenant_id = ${tenantId} ORDER BY id DESC LIMIT ${NEWEST}
        ) AS newest
        WHERE status = 'succeeded'
      ) AS arrived,
      EXISTS (SELECT FROM appointment WHERE tenant_id = ${tenantId}) AS appointments
  `;
}
