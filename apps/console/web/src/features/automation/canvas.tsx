import {
  Handle,
  Position,
  ReactFlow,
  useReactFlow,
  ReactFlowProvider,
  type Node,
  type BuiltInEdge,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useEffect, useMemo, useRef } from 'react'
import { AddStep } from './add-step.tsx'
import { StepCard, TriggerCard } from './cards.tsx'
import { layoutOf } from './flow-layout.ts'
import { flowOf, type FlowNode } from './flow.ts'
import classes from './canvas.module.css'
import type { FlowProps } from './flow-props.ts'
import { branchNames } from './choice-words.ts'

type CanvasNode = Node<{ readonly node: FlowNode; readonly view: FlowProps }>

const edgeColor = 'var(--mantine-color-dimmed)'
const margin = 20

/** The drawing of a workflow. Its nodes are buttons, which the keyboard reaches in reading order. */
export function Canvas(props: FlowProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  )
}

function Drawing(props: FlowProps) {
  const { steps } = props
  const isEditable = props.onAdd !== undefined
  const flow = useMemo(() => flowOf(steps, isEditable), [steps, isEditable])
  const layout = useMemo(() => layoutOf(flow), [flow])
  const frame = useRef<HTMLDivElement>(null)
  const { setViewport } = useReactFlow()
  const nodes = flow.nodes.map((node): CanvasNode => {
    const { x = 0, y = 0, width = 0, height = 0 } = layout.places.get(node.id) ?? {}
    return { id: node.id, type: node.type, position: { x, y }, width, height, data: { node, view: props } }
  })
  const edges = flow.edges.map(({ id, from, to, branch }): BuiltInEdge => ({
    id,
    source: from,
    target: to,
    type: 'smoothstep',
    focusable: false,
    // Readers go along the nodes; the library would tell them of each line in English.
    domAttributes: { 'aria-hidden': true },
    style: { stroke: edgeColor },
    pathOptions: { offset: 8, borderRadius: 8 },
    ...(branch === null ? {} : { label: branchNames[branch], labelShowBg: true }),
  }))
  const places = [...layout.places.values()]
  const left = Math.min(...places.map(({ x }) => x))
  const width = Math.max(...places.map((place) => place.x + place.width)) - left
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const center = () => {
      const zoom = Math.max(0.5, Math.min(1, (element.clientWidth - 2 * margin) / width))
      void setViewport({ x: (element.clientWidth - width * zoom) / 2 - left * zoom, y: margin, zoom })
    }
    const observer = new ResizeObserver(center)
    observer.observe(element)
    return () => observer.disconnect()
  }, [setViewport, width, left])
  return (
    <div ref={frame} className={classes.frame} style={{ height: layout.height + 2 * margin }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        minZoom={0.5}
        maxZoom={1}
        ariaLabelConfig={ariaLabels}
        proOptions={{ hideAttribution: true }}
      />
    </div>
  )
}

const ariaLabels = {
  'node.a11yDescription.default': '',
  'node.a11yDescription.keyboardDisabled': '',
  'edge.a11yDescription.default': '',
  'controls.ariaLabel': '',
  'minimap.ariaLabel': '',
}

/** The ends of lines. They are needed for the drawing alone. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className={classes.end} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} className={classes.end} />
    </>
  )
}

function DrawnNode({ data: { node, view } }: { readonly data: CanvasNode['data'] }) {
  return (
    <div className={`${classes.node} nopan`}>
      <Ends />
      {node.type === 'trigger' && <TriggerCard {...view} />}
      {node.type === 'step' && <StepCard {...view} step={node.step} position={node.position} />}
      {node.type === 'add' && view.onAdd && (
        <AddStep onAdd={view.onAdd} position={node.position} before={node.before} isSmall />
      )}
    </div>
  )
}

const nodeTypes = { trigger: DrawnNode, step: DrawnNode, add: DrawnNode }
