/** Returns a time for people: `2026-03-01 08:00:00 UTC`. */
export const timeText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
