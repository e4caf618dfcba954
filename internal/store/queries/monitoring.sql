-- name: InsertMonitoringReport :exec
INSERT INTO monitoring_report (id, kind, session, errors, received_at, events, size) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: MonitoringReports :many
SELECT * FROM monitoring_report
WHERE (kind = sqlc.arg(kind) OR sqlc.arg(kind) = '') AND (session = sqlc.arg(session) OR sqlc.arg(session) = '')
  AND errors >= CAST(sqlc.arg(errors) AS BIGINT)
ORDER BY id DESC LIMIT CAST(sqlc.arg(page) AS BIGINT);

-- name: DeleteMonitoringReportsBefore :exec
DELETE FROM monitoring_report WHERE received_at < $1;

-- name: DeleteMonitoringReportsBeyond :exec
-- Rows beyond the given number of newest rows; none if there are fewer.
DELETE FROM monitoring_report
WHERE monitoring_report.kind = sqlc.arg(kind) AND monitoring_report.id < (
    SELECT r.id FROM monitoring_report r WHERE r.kind = sqlc.arg(kind) ORDER BY r.id DESC LIMIT 1 OFFSET CAST(sqlc.arg(beyond) AS BIGINT)
);

-- name: DeleteMonitoringReportsBeyondSize :exec
-- Rows that exceed the size limit, counted from the newest row.
DELETE FROM monitoring_report
WHERE monitoring_report.kind = sqlc.arg(kind) AND monitoring_report.id <= (
    SELECT MAX(t.id) FROM (
        SELECT r.id, SUM(r.size) OVER (ORDER BY r.id DESC) AS total FROM monitoring_report r WHERE r.kind = sqlc.arg(kind)
    ) t WHERE t.total > CAST(sqlc.arg(bytes) AS BIGINT)
);
