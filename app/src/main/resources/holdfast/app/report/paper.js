// Draws the figures whose names an element lists, from the numbers in the page, as SVG.
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const colours = {'Algorithm 2': '#1f5fa8', 'NBS': '#c2571a', 'DRO': '#6b4fa0', 'ERM': '#777', 'Best plan': '#2a7d4f',
    'eta_z = 0.05': '#a83232', 'eta_z = 0.05, 1/lambda from 40 on': '#1f5fa8'};

  // A band is two stacked areas: an invisible one up to mean - sd, a pale one of height 2 sd on top of it.
  const band = (name, lower, height, colour, x) => [
    {type: 'line', name, stack: name, symbol: 'none', silent: true, lineStyle: {opacity: 0}, tooltip: {show: false},
      data: x.map((v, i) => [v, lower[i]])},
    {type: 'line', name, stack: name, symbol: 'none', silent: true, lineStyle: {opacity: 0}, tooltip: {show: false},
      areaStyle: {color: colour, opacity: 0.18}, data: x.map((v, i) => [v, height[i]])},
  ];

  const place = (figure, id, parent) => {
    const box = document.createElement('figure');
    const chart = document.createElement('div');
    const title = 'Figure ' + id.match(/\d+/)[0] + '. ' + figure.title + '.';
    chart.className = 'chart';
    chart.id = id;
    chart.setAttribute('role', 'img');
    chart.setAttribute('aria-label', title);
    const caption = document.createElement('figcaption');
    caption.textContent = title;
    box.append(chart, caption);
    parent.append(box);
    return chart;
  };

  const draw = (figure, chart) => {
    const x = figure.x.map(String);
    const series = figure.series.flatMap(s => {
      const colour = colours[s.name] || '#333';
      const lower = s.mean.map((m, i) => Math.max(0, m - s.sd[i]));
      const height = s.mean.map((m, i) => m + s.sd[i] - lower[i]);
      return [
        ...band(s.name + ' ± sd', lower, height, colour, x),
        {type: 'line', name: s.name, data: x.map((v, i) => [v, s.mean[i]]), color: colour, symbol: 'circle',
          symbolSize: 7, lineStyle: {width: 2.5}},
      ];
    });
    const top = Math.max(...figure.series.flatMap(s => s.mean.map((m, i) => m + s.sd[i])));
    const drawn = echarts.init(chart, null, {renderer: 'svg'});
    window.addEventListener('resize', () => drawn.resize());
    drawn.setOption({
      animation: false,
      grid: {left: 64, right: 20, top: 36, bottom: 52},
      legend: {data: figure.series.map(s => s.name), top: 0},
      tooltip: {trigger: 'axis', valueFormatter: v => Number(v).toFixed(4)},
      xAxis: {type: 'category', data: x, name: figure.axis, nameLocation: 'middle', nameGap: 30, boundaryGap: false},
      yAxis: {type: 'value', name: 'misclassification rate', nameLocation: 'middle', nameGap: 46, min: 0,
        max: Math.ceil(top * 10 + 0.2) / 10},
      series,
    });
  };

  // All places first: a chart takes its size from the grid, which is right only when the grid is complete.
  const places = [...document.querySelectorAll('[data-figures]')].flatMap(parent =>
    parent.dataset.figures.split(' ').map(id => [data[id], place(data[id], id, parent)]));
  places.forEach(([figure, chart]) => draw(figure, chart));
  document.body.dataset.drawn = 'true';
})();
