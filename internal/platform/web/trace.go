package web

import "strings"

// traceOf is the id of the trace that a request is part of, as a proxy before us may say (W3C Trace Context, "traceparent"):
// by it a line of our log is found from there. Anything else in the header is nobody's trace, and stays out of the log.
func traceOf(header []string) string {
	// 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
	const version, trace, whole = 3, 32, 55
	if len(header) != 1 || len(header[0]) != whole || header[0][:version] != "00-" || header[0][version+trace] != '-' {
		return ""
	}
	id := header[0][version : version+trace]
	if strings.Trim(id, "0123456789abcdef") != "" || strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}
