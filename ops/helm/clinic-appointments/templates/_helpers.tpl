{{- define "clinic.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "clinic.labels" -}}
app.kubernetes.io/name: clinic-appointments
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/component: {{ .process }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "clinic.selector" -}}
app.kubernetes.io/name: clinic-appointments
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .process }}
{{- end -}}

{{- define "clinic.image" -}}
{{- $image := .Values.image -}}
{{- $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}{{ with $image.digest }}@{{ . }}{{ end -}}
{{- end -}}

{{- /* The variables of a process, in their order: files/variables.yaml */ -}}
{{- define "clinic.env" -}}
{{- $known := .root.Files.Get "files/variables.yaml" | fromYaml -}}
{{- $root := .root -}}
{{- $process := .process -}}
{{- range $name := index $known.processes .process }}
{{- if has $name (concat $known.secret.required $known.secret.optional) }}
{{- $isOwnLogin := and (ne $process "logins") (regexMatch "^(API|WORKER|DASHBOARD|MIGRATION)_DATABASE_URL$" $name) }}
- name: {{ $isOwnLogin | ternary "DATABASE_URL" $name }}
  valueFrom:
    secretKeyRef:
      name: {{ required "secret.name: the Secret with the keys and passwords" $root.Values.secret.name }}
      key: {{ $name }}
      {{- if or (has $name $known.secret.optional) (and (eq $process "logins") (ne $name "SUPERUSER_DATABASE_URL")) }}
      optional: true
      {{- end }}
{{- else if hasKey $known.fixed $name }}
- name: {{ $name }}
  value: {{ index $known.fixed $name | quote }}
{{- else }}
{{- with index $root.Values.variables $name }}
- name: {{ $name }}
  value: {{ . | toString | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "clinic.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "clinic.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "clinic.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- with .Values.volumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "clinic.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- with .Values.volumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* A pod of a lasting process: its container stands in .container */ -}}
{{- define "clinic.deployment" -}}
{{- $root := .root -}}
{{- $own := index $root.Values .process -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "clinic.name" $root }}-{{ .process }}
  labels:
    {{- include "clinic.labels" . | nindent 4 }}
spec:
  {{- if not (dig "autoscaling" "enabled" false $own) }}
  replicas: {{ $own.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "clinic.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "clinic.labels" . | nindent 8 }}
      {{- with $root.Values.secret.revision }}
      annotations:
        clinic/secret-revision: {{ . | quote }}
      {{- end }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      # Longer than an attempt may take, or the five seconds of a failed readiness with the requests after them.
      terminationGracePeriodSeconds: 45
      securityContext:
        {{- include "clinic.podSecurity" $root | nindent 8 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "clinic.selector" . | nindent 14 }}
      containers:
        - name: {{ .process }}
          image: {{ include "clinic.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          # The limits of the heap are those of package.json.
          command: [node, --max-semi-space-size=8, --heap-growing-percent=30, {{ .process }}/main.ts]
          env:
            {{- include "clinic.env" . | nindent 12 }}
          {{- .container | nindent 10 }}
          resources:
            {{- toYaml $own.resources | nindent 12 }}
          securityContext:
            {{- include "clinic.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            {{- include "clinic.volumeMounts" $root | nindent 12 }}
      volumes:
        {{- include "clinic.volumes" $root | nindent 8 }}
      {{- with $own.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}

{{- /* A job before each installation and update: .name, .process, .program, .weight */ -}}
{{- define "clinic.job" -}}
{{- $root := .root -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "clinic.name" $root }}-{{ .name }}
  labels:
    {{- include "clinic.labels" . | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: {{ .weight | quote }}
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  backoffLimit: 6
  activeDeadlineSeconds: 1800
  template:
    metadata:
      labels:
        {{- include "clinic.labels" . | nindent 8 }}
    spec:
      restartPolicy: OnFailure
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- include "clinic.podSecurity" $root | nindent 8 }}
      containers:
        - name: {{ .name }}
          image: {{ include "clinic.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          command: [node, {{ .program }}]
          env:
            {{- include "clinic.env" . | nindent 12 }}
          resources:
            {{- toYaml $root.Values.jobs.resources | nindent 12 }}
          securityContext:
            {{- include "clinic.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            {{- include "clinic.volumeMounts" $root | nindent 12 }}
      volumes:
        {{- include "clinic.volumes" $root | nindent 8 }}
{{- end -}}

{{- /* .process, .ports: name and number */ -}}
{{- define "clinic.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "clinic.name" .root }}-{{ .process }}
  labels:
    {{- include "clinic.labels" . | nindent 4 }}
spec:
  {{- if not (hasKey .ports "http") }}
  clusterIP: None
  {{- end }}
  selector:
    {{- include "clinic.selector" . | nindent 4 }}
  ports:
    {{- range $name, $number := .ports }}
    - name: {{ $name }}
      port: {{ $number }}
      targetPort: {{ $name }}
    {{- end }}
{{- end -}}

{{- define "clinic.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "clinic.name" .root }}-{{ .process }}
  labels:
    {{- include "clinic.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "clinic.selector" . | nindent 6 }}
{{- end -}}
