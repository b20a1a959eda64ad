/** The page of a conflict: the host draws it; this script sends the choices and keeps them while the tab is hidden. */
const door = acquireVsCodeApi();

const form = document.querySelector('form')!;
const radios = [...form.querySelectorAll<HTMLInputElement>('input[type=radio]')];

const kept = (door.getState() ?? []) as readonly string[];
for (const radio of radios) if (kept.includes(radio.id)) radio.checked = true;
const keep = () => door.setState(radios.filter(({ checked }) => checked).map(({ id }) => id));
form.addEventListener('change', keep);

form.addEventListener('click', event => {
  const { side, act } = (event.target as HTMLElement).closest('button')?.dataset ?? {};
  if (act) door.postMessage({ act });
  if (!side) return;
  for (const radio of radios) if (radio.value === side) radio.checked = true;
  keep();
});

form.addEventListener('submit', event => {
  event.preventDefault();
  const chosen = new FormData(form);
  const fields = form.querySelectorAll('fieldset');
  door.postMessage({ act: 'apply', fields: [...fields].map((_, at) => chosen.get(`field${at}`)) });
});

(form.querySelector<HTMLElement>('input:checked') ?? form.querySelector<HTMLElement>('.main'))?.focus();
