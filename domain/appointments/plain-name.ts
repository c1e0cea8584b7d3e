/** A name as it is compared: case, accents and spaces aside, because a voice that hears it writes it another way each time. */
export function plainName(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
