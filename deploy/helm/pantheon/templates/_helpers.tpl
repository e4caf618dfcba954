{{- define "pantheon.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "pantheon.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "pantheon.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "pantheon.selector" . }}
{{- end }}

{{- define "pantheon.image" -}}
{{- $i := .Values.image -}}
{{ $i.repository }}{{ if $i.digest }}@{{ $i.digest }}{{ else }}:{{ $i.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* The security context of a pod. 65532 is the image's user; files of secrets are readable by its group. */}}
{{- define "pantheon.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "pantheon.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
capabilities:
  drop: [ALL]
{{- end }}

{{/* Variables that name the files of secrets: X_FILE for the setting X. */}}
{{- define "pantheon.secretVariables" -}}
{{- range $setting, $_ := . }}
- name: {{ $setting }}_FILE
  value: /run/secrets/pantheon/{{ $setting }}
{{- end }}
{{- end }}

{{/* Sources of a projected volume: a file for each entry of a map from settings to keys of secrets or config maps. */}}
{{- define "pantheon.sources" -}}
{{- range $setting, $from := . }}
- {{ if $from.secret }}secret{{ else }}configMap{{ end }}:
    name: {{ $from.secret | default $from.configMap }}
    items:
      - key: {{ $from.key | quote }}
        path: {{ $setting }}
{{- end }}
{{- end }}
