import {
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  Line,
  LineChart,
  Pie,
  PieChart,
  Tooltip,
  XAxis,
  YAxis,
  ResponsiveContainer,
} from 'recharts'
import { colorOf } from './chart-colors.ts'
import classes from './dashboards.module.css'

/** A point of a chart: its name and the value of each series. */
export interface Point {
  readonly key: string
  readonly label: string
  readonly values: Readonly<Record<string, number>>
}

interface ChartProps {
  readonly type: 'BAR' | 'LINE' | 'DONUT'
  readonly points: readonly Point[]
  readonly series: readonly { readonly key: string; readonly label: string }[]
  format(value: number): string
  formatAxis(value: number): string
  onOpen(key: string, series: string): void
}

const height = 240
const axis = { stroke: 'var(--crm-line)', tick: { fill: 'var(--mantine-color-dimmed)', fontSize: 12 } }
const tooltip = {
  contentStyle: {
    background: 'var(--mantine-color-body)',
    border: '1px solid var(--crm-line)',
    borderRadius: 6,
    fontSize: 13,
  },
  itemStyle: { color: 'var(--mantine-color-text)' },
  labelStyle: { color: 'var(--mantine-color-dimmed)' },
  cursor: { fill: 'var(--crm-hover)' },
  isAnimationActive: false,
}

/** Draws an answer. A click opens the list of the records behind it; the table beside it offers the same to the keyboard. */
export function Chart({ type, points, series, format, formatAxis, onOpen }: ChartProps) {
  const data = points.map(({ key, label, values }) => ({ key, label, ...values }))
  const told = (value: unknown) => format(Number(value))
  const nameOf = (key: string) => series.find((one) => one.key === key)?.label ?? ''
  const [first] = series
  if (type === 'DONUT')
    return (
      <ResponsiveContainer width="100%" height={height}>
        <PieChart accessibilityLayer={false}>
          <Pie
            data={data}
            dataKey={first?.key ?? ''}
            nameKey="label"
            innerRadius={62}
            outerRadius={96}
            paddingAngle={1}
            isAnimationActive={false}
            rootTabIndex={-1}
            onClick={(_sector, at) => onOpen(points[at]?.key ?? '', first?.key ?? '')}
          >
            {points.map(({ key }, at) => (
              <Cell key={key} fill={colorOf(key, at)} stroke="var(--mantine-color-body)" className={classes.shape} />
            ))}
          </Pie>
          <Tooltip {...tooltip} formatter={told} />
        </PieChart>
      </ResponsiveContainer>
    )
  const frame = { data, accessibilityLayer: false, margin: { top: 8, right: 8, bottom: 0, left: 0 } }
  const parts = (
    <>
      <CartesianGrid vertical={false} stroke="var(--crm-line)" />
      <XAxis dataKey="label" {...axis} tickLine={false} interval="preserveStartEnd" minTickGap={12} />
      <YAxis {...axis} axisLine={false} tickLine={false} tickFormatter={formatAxis} width="auto" />
      <Tooltip {...tooltip} formatter={(value, key) => [told(value), nameOf(String(key))]} />
    </>
  )
  return (
    <ResponsiveContainer width="100%" height={height}>
      {type === 'LINE' ? (
        <LineChart {...frame}>
          {parts}
          {series.map(({ key }, at) => (
            <Line
              key={key}
              dataKey={key}
              stroke={colorOf(key, at)}
              strokeWidth={2}
              dot={{ r: 3 }}
              activeDot={{
                r: 5,
                className: classes.shape,
                onClick: (_event, dot) => onOpen(points[(dot as { index?: number }).index ?? -1]?.key ?? '', key),
              }}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      ) : (
        <BarChart {...frame} maxBarSize={56}>
          {parts}
          {series.map(({ key }, at) => (
            <Bar
              key={key}
              dataKey={key}
              stackId="all"
              fill={colorOf(key, at)}
              className={classes.shape}
              isAnimationActive={false}
              onClick={(_bar, index) => onOpen(points[index]?.key ?? '', key)}
            />
          ))}
        </BarChart>
      )}
    </ResponsiveContainer>
  )
}
