package auth

import "testing"

func TestDevicesAreCalledWhatPeopleCallThem(t *testing.T) {
	t.Parallel()
	const (
		windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
		mac     = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15"
		linux   = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
		android = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
		iphone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
		ipad    = "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
		wv      = "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36"
	)
	for agent, name := range map[string]string{
		windows:                      "Chrome on Windows",
		windows + " Edg/140.0.0.0":   "Edge on Windows",
		windows + " OPR/121.0.0.0":   "Opera on Windows",
		windows + " Vivaldi/7.5.1":   "Vivaldi on Windows",
		mac:                          "Safari on macOS",
		mac + " Ddg/18.5":            "DuckDuckGo on macOS",
		linux:                        "Chrome on Linux",
		android:                      "Chrome on Android",
		android + " EdgA/140.0.0.0":  "Edge on Android",
		android + " OPR/90.0.0":      "Opera on Android",
		android + " YaBrowser/25.0":  "Yandex Browser on Android",
		wv + " [FB_IAB/FB4A;FBAV/1]": "Facebook on Android",
		wv + " Instagram 380.0":      "Instagram on Android",
		wv:                           "An app on Android",
		ipad:                         "Safari on iPad",
		iphone + " Version/18.5 Mobile/15E148 Safari/604.1":                                                                          "Safari on iPhone",
		iphone + " CriOS/140.0.0 Mobile/15E148 Safari/604.1":                                                                         "Chrome on iPhone",
		iphone + " FxiOS/142.0 Mobile/15E148 Safari/605.1.15":                                                                        "Firefox on iPhone",
		iphone + " EdgiOS/140.0 Version/18.0 Mobile Safari/604.1":                                                                    "Edge on iPhone",
		iphone + " GSA/380.0 Mobile/15E148 Safari/604.1":                                                                             "Google app on iPhone",
		iphone + " Mobile/15E148 Instagram 380.0":                                                                                    "Instagram on iPhone",
		iphone + " Mobile/15E148":                                                                                                    "An app on iPhone",
		"Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0":                                             "Firefox on Linux",
		"Mozilla/5.0 (Android 14; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0":                                                       "Firefox on Android",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":             "Chrome on ChromeOS",
		"Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-S918B) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36": "Samsung Internet on Android",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36":              "Chrome on Linux",
		"node": "A program", "curl/8.5.0": "A program", "python-requests/2.32": "A program", "Go-http-client/2.0": "A program",
		"okhttp/4.12.0": "A program", "Dart/3.5 (dart:io)": "A program", "Deno/2.1": "A program", "Bun/1.2": "A program",
		"": "Unknown device", "Mozilla/5.0": "Unknown device", "something else": "Unknown device",
	} {
		if got := deviceName(agent); got != name {
			t.Errorf("%q is called %q, not %q", agent, got, name)
		}
	}
}
