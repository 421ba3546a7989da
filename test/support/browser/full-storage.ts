/** A script for a page. Fills the storage of the browser until not even a few characters fit. */
export const FILL_STORAGE = `
  const fill = (size) => {
    try {
      for (let n = 0; ; n++) localStorage.setItem(size + ' ' + n, 'x'.repeat(size));
    } catch {}
  };
  for (const size of [1e6, 1e4, 100, 1]) fill(size);
`;
