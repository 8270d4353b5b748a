// What pages can do besides: they are whole without it.

/** Buttons that copy a text. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break; // only over TLS, or on the same machine
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  button.textContent = button.dataset.copied;
}

/** Extensions are searched while a word is typed. */
const search = document.getElementById('search');
const found = document.getElementById('found');
search?.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const item of document.querySelectorAll('#extensions > li')) {
    const text = item.textContent.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
    if (!item.hidden) count += 1;
  }
  found.textContent = String(count);
});
