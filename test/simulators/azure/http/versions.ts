/**
 * Which versions of the API each part of Azure knows: the newest ones, among them those that the vendor's clients ask
 * for.
 */
export const versions = {
  compute: ['2024-03-01', '2024-07-01', '2024-11-01', '2025-04-01', '2025-11-01', '2026-03-01', '2026-04-01'],
  disks: ['2024-03-02', '2025-01-02', '2026-03-02'],
  galleries: ['2024-03-03', '2025-03-03', '2025-12-03'],
  skus: ['2021-07-01'],
  network: [
    '2024-05-01',
    '2024-07-01',
    '2024-10-01',
    '2025-01-01',
    '2025-03-01',
    '2025-05-01',
    '2026-01-01',
    '2026-03-01',
  ],
  resources: ['2021-04-01', '2022-09-01', '2024-03-01', '2024-11-01', '2025-04-01'],
} as const

/** Where resources of a subscription stand. */
export const paths = {
  subscription: '/subscriptions/{subscription}',
  group: '/subscriptions/{subscription}/resourceGroups/{resourceGroup}',
} as const
