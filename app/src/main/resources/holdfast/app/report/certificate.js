// Reads the curves of a certificate at any budget. The least of several prices' lines is an upper bound everywhere, because the loss
// that a price certifies is linear in rho; what was found within less is within more as well.
(() => {
  'use strict';
  const {most, mixes, above, points} = JSON.parse(document.getElementById('data').textContent);
  const slider = document.getElementById('q');
  const moving = points.filter(p => p.rho > 0);

  const bound = (name, rho) => rho === 0 ? points[0][name][0] : Math.min(...moving
    .filter(p => p[name][0] !== null && p[name][1] !== null)
    .map(p => p[name][0] + p[name][1] * (rho - p.rho) + 1e-12 * (Math.abs(p[name][0]) + p[name][1] * (rho + p.rho))));

  const found = rho => {
    const i = points.findLastIndex(p => p.rho <= rho);
    const [low, high] = [points[i], points[i + 1]];
    const part = mixes && high ? (rho - low.rho) / (high.rho - low.rho) : 0;
    return part > 0 ? low.found + part * (high.found - low.found) : low.found;
  };

  // A little more, so that rounding of the product takes nothing away.
  const up = v => (Math.ceil(v * 1e4 * (1 + 1e-12)) / 1e4).toFixed(4);
  const down = v => (Math.floor(v * 1e4 * (1 - 1e-12)) / 1e4).toFixed(4);
  // Four digits, rounded down: a bound for rho is none for more. The rounding of the square does not count.
  const lower = v => {
    const text = v.toPrecision(4);
    const unit = 10 ** (Math.floor(Math.log10(Number(text))) - 3);
    return Number(text) <= v * (1 + 1e-14) ? text : (Number(text) - unit).toPrecision(4);
  };
  const say = (id, text) => { const at = document.getElementById('v-' + id); if (at) at.textContent = text; };

  const show = () => {
    // What is shown is what is read: a budget that is rounded for show would be another one.
    const q = Math.min(most, Number((most * slider.value / slider.max).toPrecision(4)));
    const rho = q * q / 2;
    const next = points.find(p => p.q >= q) || points[points.length - 1];
    say('q', String(q));
    say('rho', lower(rho));
    say('loss', up(bound('loss', rho)));
    say('found', down(found(rho)));
    if (next.error) say('error', up(Math.min(1, bound('error', rho))));
    if (above !== undefined) say('population', up(Math.min(1, bound('error', rho) + above)));
    for (const norm of ['l1', 'l2', 'linf']) if (next[norm] !== undefined) say(norm, up(next[norm]));
    document.querySelectorAll('.line .mark').forEach(m => m.setAttribute('d', `M${100 * slider.value / slider.max} 0V20`));
  };

  slider.addEventListener('input', show);
  slider.closest('label').hidden = false;
})();
