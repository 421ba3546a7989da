/** Opens a page of the console as a click on a link does, so that the mapping page asks about unsaved changes first. */
export function followLink(href: string, navigate: (href: string) => void): void {
  const link = document.createElement('a');
  link.href = href;
  link.hidden = true;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    navigate(href);
  });
  document.body.append(link);
  link.click();
  link.remove();
}
