/** What Muster's alerts belong to that are about no integration, such as those about destinations. It has no page. */
export const OWN_INTEGRATION = { id: '00000000-0000-8000-8000-6d7573746572', name: 'Muster' };
