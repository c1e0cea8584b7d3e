import { z } from 'zod';
import { onlyValue, type EntityManager } from '../connection/statements.ts';
import { TenantEntity, type TenantRow } from '../entities/tenant.entity.ts';
import type { Database } from '../connection/open-database.ts';

/** The clinic with this public address, if patients may book online there. */
export async function findPublicClinic(guests: Database, publicSlug: string): Promise<TenantRow | null> {
  const id = await onlyValue(guests.admission(), CLINIC_ID)`SELECT clinic_of_slug(${publicSlug})`;
  return findClinic(guests, id);
}

/** The clinic of the appointment that a patient's link names. */
export async function findClinicOfVisit(guests: Database, appointmentId: string): Promise<TenantRow | null> {
  const id = await onlyValue(guests.admission(), CLINIC_ID)`SELECT clinic_of_visit(${appointmentId})`;
  return findClinic(guests, id);
}

const CLINIC_ID = z.string().nullable();

async function findClinic(guests: Database, id: string | null): Promise<TenantRow | null> {
  return id === null
    ? null
    : guests.ofClinic(id).read((em: EntityManager) => em.findOne(TenantEntity, { id }));
}
