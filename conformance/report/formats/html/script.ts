/** The filter. Without a script everything is shown. */
export const SCRIPT = `
(() => {
  const checks = [...document.querySelectorAll('.check')];
  const buttons = [...document.querySelectorAll('.filters button')];
  const suite = document.querySelector('#suite');
  const text = document.querySelector('#text');
  const shown = document.querySelector('#shown');
  const apply = () => {
    const on = new Set(buttons.filter((each) => each.getAttribute('aria-pressed') === 'true').map((each) => each.value));
    const wanted = text.value.trim().toLowerCase();
    let count = 0;
    for (const check of checks) {
      const { outcome, suite: its } = check.dataset;
      const fits = on.has(outcome) && (suite.value === '' || suite.value === its) && (wanted === '' || check.textContent.toLowerCase().includes(wanted));
      check.hidden = !fits;
      if (fits) count++;
    }
    shown.textContent = count + ' of ' + checks.length + ' shown';
  };
  for (const button of buttons) button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', button.getAttribute('aria-pressed') === 'true' ? 'false' : 'true');
    apply();
  });
  suite.addEventListener('change', apply);
  text.addEventListener('input', apply);
  document.querySelector('.filters').hidden = false;
  apply();
})();
`;
