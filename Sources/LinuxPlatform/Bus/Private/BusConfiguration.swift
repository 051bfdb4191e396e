import Glibc

/// The configuration of a home's private dbus-daemon.
enum BusConfiguration {
    /// The text of the file: this user alone may connect; inside, everyone may talk to everyone.
    static func text(address: String, services: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(escaped(address))</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(escaped(services))</servicedir>
          <policy context="default">
            <deny user="*"/>
            <allow user="\(geteuid())"/>
            <allow own="*"/>
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
          </policy>
          <limit name="max_incoming_bytes">16777216</limit>
          <limit name="max_outgoing_bytes">16777216</limit>
          <limit name="max_message_size">1048576</limit>
          <limit name="max_replies_per_connection">50000</limit>
          <limit name="max_connections_per_user">1024</limit>
          <limit name="max_pending_service_starts">64</limit>
          <limit name="service_start_timeout">20000</limit>
        </busconfig>

        """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
