/** What a dashboard of Grafana consists of, as far as the tests look at it. */
export interface Dashboard {
  uid: string;
  panels: Panel[];
  templating: { list: { name: string; type: string }[] };
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string }[];
}

/** Returns the expressions of all panels, with values for the variables that Grafana inserts. */
export const expressionsOf = ({ panels }: Dashboard): string[] =>
  panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'));
