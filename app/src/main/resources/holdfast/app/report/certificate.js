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

  const up = v => (Math.ceil(v * 1e4) / 1e4).toFixed(4);
  const down = v => (Math.floor(v * 1e4 * (1 - 1e-12)) / 1e4).toFixed(4);
  const say = (id, text) => { const at = document.getElementById('v-' + id); if (at) at.textContent = text; };

  const show = () => {
    const q = most * slider.value / slider.max;
    const rho = q * q / 2;
    const next = points.find(p => p.q >= q) || points[points.length - 1];
    say('q', q.toFixed(4));
    say('rho', rho.toPrecision(4));
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
